-- AlterTable
-- Columns are added in place: a rebuilt table would lose the trigger on chat_sessions, and rewrite every row.
ALTER TABLE "chat_sessions" ADD COLUMN "ephemeral" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "chat_sessions" ADD COLUMN "context_estimated" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "chat_sessions" ADD COLUMN "last_seq" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "chat_messages" ADD COLUMN "run_id" TEXT;
ALTER TABLE "chat_messages" ADD COLUMN "provider_id" TEXT;
ALTER TABLE "chat_messages" ADD COLUMN "model_id" TEXT;
ALTER TABLE "chat_messages" ADD COLUMN "variant" TEXT;
ALTER TABLE "chat_messages" ADD COLUMN "input_tokens" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "chat_messages" ADD COLUMN "output_tokens" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "chat_messages" ADD COLUMN "reasoning_tokens" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "chat_messages" ADD COLUMN "cache_read" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "chat_messages" ADD COLUMN "cache_write" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "chat_messages" ADD COLUMN "steps" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "chat_messages" ADD COLUMN "usage_unknown" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "chat_messages" ADD COLUMN "compaction_id" TEXT;
ALTER TABLE "chat_messages" ADD COLUMN "window_json" TEXT;
ALTER TABLE "chat_messages" ADD COLUMN "condensed" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "chat_messages" ADD COLUMN "system_prompt_digest" TEXT;

-- AlterTable
ALTER TABLE "history_ops" ADD COLUMN "ordinal" INTEGER NOT NULL DEFAULT 0;

-- The copies of rows that are there already. JSON that cannot be read leaves null and 0.
UPDATE "chat_sessions" SET
    "last_seq" = (SELECT coalesce(max(m."seq"), 0) FROM "chat_messages" m WHERE m."session_id" = "chat_sessions"."id");
UPDATE "chat_sessions" SET
    "ephemeral" = coalesce(json_type("metadata_json", '$.ephemeral') = 'true', 0),
    "context_estimated" = coalesce(json_type("metadata_json", '$.context_estimated') = 'true', 0)
WHERE json_valid("metadata_json") AND "metadata_json" <> '{}';
UPDATE "chat_messages" SET
    "run_id" = CASE json_type("metadata_json", '$.run_id') WHEN 'text' THEN "metadata_json" ->> '$.run_id' END,
    "provider_id" = CASE json_type("metadata_json", '$.model.provider_id') WHEN 'text' THEN "metadata_json" ->> '$.model.provider_id' END,
    "model_id" = CASE json_type("metadata_json", '$.model.model_id') WHEN 'text' THEN "metadata_json" ->> '$.model.model_id' END,
    "variant" = CASE json_type("metadata_json", '$.model.variant') WHEN 'text' THEN "metadata_json" ->> '$.model.variant' END,
    "input_tokens" = CASE WHEN json_type("metadata_json", '$.usage.input') = 'integer' AND "metadata_json" ->> '$.usage.input' BETWEEN 0 AND 2147483647 THEN "metadata_json" ->> '$.usage.input' ELSE 0 END,
    "output_tokens" = CASE WHEN json_type("metadata_json", '$.usage.output') = 'integer' AND "metadata_json" ->> '$.usage.output' BETWEEN 0 AND 2147483647 THEN "metadata_json" ->> '$.usage.output' ELSE 0 END,
    "reasoning_tokens" = CASE WHEN json_type("metadata_json", '$.usage.reasoning') = 'integer' AND "metadata_json" ->> '$.usage.reasoning' BETWEEN 0 AND 2147483647 THEN "metadata_json" ->> '$.usage.reasoning' ELSE 0 END,
    "cache_read" = CASE WHEN json_type("metadata_json", '$.usage.cache_read') = 'integer' AND "metadata_json" ->> '$.usage.cache_read' BETWEEN 0 AND 2147483647 THEN "metadata_json" ->> '$.usage.cache_read' ELSE 0 END,
    "cache_write" = CASE WHEN json_type("metadata_json", '$.usage.cache_write') = 'integer' AND "metadata_json" ->> '$.usage.cache_write' BETWEEN 0 AND 2147483647 THEN "metadata_json" ->> '$.usage.cache_write' ELSE 0 END,
    "steps" = CASE WHEN json_type("metadata_json", '$.usage.steps') = 'integer' AND "metadata_json" ->> '$.usage.steps' BETWEEN 0 AND 2147483647 THEN "metadata_json" ->> '$.usage.steps' ELSE 0 END,
    "usage_unknown" = coalesce(json_type("metadata_json", '$.usage.unknown') = 'true', 0),
    "compaction_id" = CASE json_type("metadata_json", '$.compaction_id') WHEN 'text' THEN "metadata_json" ->> '$.compaction_id' END,
    "window_json" = CASE json_type("metadata_json", '$.window') WHEN 'object' THEN "metadata_json" -> '$.window' END,
    "condensed" = coalesce(json_type("metadata_json", '$.condensed') = 'object', 0),
    "system_prompt_digest" = CASE json_type("metadata_json", '$.system_prompt_digest') WHEN 'text' THEN "metadata_json" ->> '$.system_prompt_digest' END
WHERE json_valid("metadata_json");
UPDATE "history_ops" SET "ordinal" = numbered."ordinal" FROM (
    SELECT "id", row_number() OVER (PARTITION BY "session_id" ORDER BY rowid) AS "ordinal" FROM "history_ops"
) AS numbered WHERE numbered."id" = "history_ops"."id";

-- DropIndex
DROP INDEX "history_ops_session_id_idx";

-- CreateIndex
CREATE UNIQUE INDEX "history_ops_session_id_ordinal_key" ON "history_ops"("session_id", "ordinal");
