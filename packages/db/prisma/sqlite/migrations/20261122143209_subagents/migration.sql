-- AlterTable
ALTER TABLE "asks" ADD COLUMN "root_session_id" TEXT;

-- AlterTable
ALTER TABLE "chat_sessions" ADD COLUMN "root_id" TEXT;
ALTER TABLE "chat_sessions" ADD COLUMN "undelivered" INTEGER;

-- CreateIndex
CREATE INDEX "chat_sessions_undelivered_idx" ON "chat_sessions"("created_at", "id") WHERE undelivered IS NOT NULL;
