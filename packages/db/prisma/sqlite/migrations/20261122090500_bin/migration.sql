-- AlterTable
ALTER TABLE "chat_sessions" ADD COLUMN "deleted_at" BIGINT;

-- CreateIndex
CREATE INDEX "chat_sessions_bin_idx" ON "chat_sessions"("updated_at", "id") WHERE deleted_at IS NOT NULL;
