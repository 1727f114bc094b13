-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_run_chunks" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "run_id" TEXT NOT NULL,
    "no" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "chunks" TEXT NOT NULL
);
INSERT INTO "new_run_chunks" ("chunks", "epoch", "no", "run_id") SELECT "chunks", "epoch", "no", "run_id" FROM "run_chunks" ORDER BY "run_id", "no";
DROP TABLE "run_chunks";
ALTER TABLE "new_run_chunks" RENAME TO "run_chunks";
CREATE TABLE "new_run_leases" (
    "session_id" TEXT NOT NULL PRIMARY KEY,
    "run_id" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "started_at" BIGINT NOT NULL,
    "expires_at" BIGINT,
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "message_id" TEXT,
    "folded_id" INTEGER NOT NULL DEFAULT 0,
    "open_json" TEXT,
    "waiting_on" TEXT,
    CONSTRAINT "run_leases_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_run_leases" ("epoch", "expires_at", "folded_id", "message_id", "open_json", "owner", "run_id", "session_id", "started_at", "waiting_on") SELECT "epoch", "expires_at", coalesce((SELECT "id" FROM "run_chunks" "c" WHERE "c"."run_id" = "run_leases"."run_id" AND "c"."no" = "folded_no"), 0), "message_id", "open_json", "owner", "run_id", "session_id", "started_at", "waiting_on" FROM "run_leases";
DROP TABLE "run_leases";
ALTER TABLE "new_run_leases" RENAME TO "run_leases";
CREATE UNIQUE INDEX "run_leases_run_id_key" ON "run_leases"("run_id");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
