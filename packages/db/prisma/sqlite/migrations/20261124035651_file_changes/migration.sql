-- CreateTable
CREATE TABLE "file_changes" (
    "ordinal" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "session_id" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "message_id" TEXT,
    "run_id" TEXT,
    "tool_call_id" TEXT,
    "made_in" TEXT NOT NULL,
    "operation_id" TEXT,
    "root" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "before_id" TEXT,
    "before_mode" TEXT,
    "after_id" TEXT,
    "after_mode" TEXT,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "created_at" BIGINT NOT NULL,
    CONSTRAINT "file_changes_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "file_changes_session_id_ordinal_idx" ON "file_changes"("session_id", "ordinal");

-- CreateIndex
CREATE INDEX "file_changes_session_id_root_path_ordinal_idx" ON "file_changes"("session_id", "root", "path", "ordinal");

-- CreateIndex
CREATE INDEX "file_changes_unfinished_idx" ON "file_changes"("ordinal") WHERE status IN ('pending', 'open');
