-- AlterTable
ALTER TABLE "run_leases" ADD COLUMN "waiting_on" TEXT;

-- CreateTable
CREATE TABLE "asks" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "session_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "request_json" TEXT NOT NULL,
    "reply_json" TEXT,
    "created_at" BIGINT NOT NULL,
    "replied_at" BIGINT,
    CONSTRAINT "asks_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "asks_session_id_idx" ON "asks"("session_id");

-- CreateIndex
CREATE INDEX "asks_run_id_idx" ON "asks"("run_id");

-- CreateIndex
CREATE INDEX "asks_open_idx" ON "asks"("created_at") WHERE replied_at IS NULL;
