-- CreateTable
CREATE TABLE "session_moves" (
    "no" INTEGER NOT NULL PRIMARY KEY,
    "session_id" TEXT NOT NULL,
    "updated_at" BIGINT NOT NULL
);

-- A reader who has been away for more than 10,000 moves starts its list again anyway.
CREATE TRIGGER "session_moved" AFTER UPDATE OF "updated_at" ON "chat_sessions"
WHEN new."updated_at" <> old."updated_at"
BEGIN
    INSERT INTO "session_moves" ("session_id", "updated_at") VALUES (old."id", old."updated_at");
    DELETE FROM "session_moves" WHERE "no" <= (SELECT max("no") FROM "session_moves") - 10000;
END;
