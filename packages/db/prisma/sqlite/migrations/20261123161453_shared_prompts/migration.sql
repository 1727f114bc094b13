-- AlterTable
ALTER TABLE "system_prompts" ADD COLUMN "end_digest" TEXT;
ALTER TABLE "system_prompts" ADD COLUMN "start_digest" TEXT;

-- CreateIndex
CREATE INDEX "chat_messages_prompt_idx" ON "chat_messages"("system_prompt_digest") WHERE system_prompt_digest IS NOT NULL;

-- CreateIndex
CREATE INDEX "system_prompts_start_idx" ON "system_prompts"("start_digest") WHERE start_digest IS NOT NULL;

-- CreateIndex
CREATE INDEX "system_prompts_end_idx" ON "system_prompts"("end_digest") WHERE end_digest IS NOT NULL;
