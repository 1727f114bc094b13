-- CreateTable
CREATE TABLE "run_chunks" (
    "run_id" TEXT NOT NULL,
    "no" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "chunks" TEXT NOT NULL,

    PRIMARY KEY ("run_id", "no")
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_run_leases" (
    "session_id" TEXT NOT NULL PRIMARY KEY,
    "run_id" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "started_at" BIGINT NOT NULL,
    "expires_at" BIGINT,
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "message_id" TEXT,
    "folded_no" INTEGER NOT NULL DEFAULT 0,
    "open_json" TEXT,
    CONSTRAINT "run_leases_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_run_leases" ("expires_at", "owner", "run_id", "session_id", "started_at") SELECT "expires_at", "owner", "run_id", "session_id", "started_at" FROM "run_leases";
DROP TABLE "run_leases";
ALTER TABLE "new_run_leases" RENAME TO "run_leases";
CREATE UNIQUE INDEX "run_leases_run_id_key" ON "run_leases"("run_id");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
