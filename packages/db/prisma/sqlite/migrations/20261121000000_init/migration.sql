-- CreateTable
CREATE TABLE "chat_sessions" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "title" TEXT NOT NULL DEFAULT 'New chat',
    "agent" TEXT NOT NULL,
    "workspace_root" TEXT,
    "worker_id" TEXT,
    "model_json" TEXT NOT NULL,
    "parent_id" TEXT,
    "parent_message_id" TEXT,
    "permissions_json" TEXT NOT NULL DEFAULT '[]',
    "metadata_json" TEXT NOT NULL DEFAULT '{}',
    "prompt_tokens" BIGINT NOT NULL DEFAULT 0,
    "completion_tokens" BIGINT NOT NULL DEFAULT 0,
    "reasoning_tokens" BIGINT NOT NULL DEFAULT 0,
    "cache_read" BIGINT NOT NULL DEFAULT 0,
    "cache_write" BIGINT NOT NULL DEFAULT 0,
    "total_tokens" BIGINT NOT NULL DEFAULT 0,
    "context_tokens" BIGINT NOT NULL DEFAULT 0,
    "cost_usd" REAL NOT NULL DEFAULT 0,
    "revision" BIGINT NOT NULL DEFAULT 0,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    "archived_at" BIGINT,
    CONSTRAINT "chat_sessions_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "chat_sessions" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "chat_sessions_worker_id_fkey" FOREIGN KEY ("worker_id") REFERENCES "workers" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "chat_messages" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "session_id" TEXT NOT NULL,
    "seq" INTEGER,
    "role" TEXT NOT NULL,
    "metadata_json" TEXT NOT NULL,
    "hidden_at" BIGINT,
    "hidden_by" TEXT,
    "queued_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    CONSTRAINT "chat_messages_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "chat_parts" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "message_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "data_json" TEXT NOT NULL,
    "tool_call_id" TEXT,
    "tool_state" TEXT,
    "pruned_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    CONSTRAINT "chat_parts_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "chat_messages" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "history_ops" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "session_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "detail_json" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,
    CONSTRAINT "history_ops_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "system_prompts" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "body" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "project_permissions" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspace_root" TEXT NOT NULL,
    "rule_json" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "memories" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspace_root" TEXT,
    "name" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "metadata_json" TEXT NOT NULL DEFAULT '{}',
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "schedules" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "session_id" TEXT,
    "spec_json" TEXT NOT NULL,
    "next_at" BIGINT,
    "last_at" BIGINT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    CONSTRAINT "schedules_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "workers" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "workspace_root" TEXT NOT NULL,
    "metadata_json" TEXT NOT NULL DEFAULT '{}',
    "created_at" BIGINT NOT NULL,
    "seen_at" BIGINT
);

-- CreateTable
CREATE TABLE "run_leases" (
    "session_id" TEXT NOT NULL PRIMARY KEY,
    "run_id" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "started_at" BIGINT NOT NULL,
    "expires_at" BIGINT,
    CONSTRAINT "run_leases_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "search_entries" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "session_id" TEXT NOT NULL,
    "message_id" TEXT,
    CONSTRAINT "search_entries_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "search_entries_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "chat_messages" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "store_meta" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

-- CreateIndex
CREATE INDEX "chat_sessions_archived_at_updated_at_id_idx" ON "chat_sessions"("archived_at", "updated_at", "id");

-- CreateIndex
CREATE INDEX "chat_sessions_archived_idx" ON "chat_sessions"("updated_at", "id") WHERE archived_at IS NOT NULL;

-- CreateIndex
CREATE INDEX "chat_sessions_agent_updated_at_id_idx" ON "chat_sessions"("agent", "updated_at", "id");

-- CreateIndex
CREATE INDEX "chat_sessions_workspace_root_updated_at_id_idx" ON "chat_sessions"("workspace_root", "updated_at", "id");

-- CreateIndex
CREATE INDEX "chat_sessions_parent_id_updated_at_id_idx" ON "chat_sessions"("parent_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "chat_sessions_worker_id_idx" ON "chat_sessions"("worker_id");

-- CreateIndex
CREATE INDEX "chat_messages_queue_idx" ON "chat_messages"("session_id", "queued_at") WHERE queued_at IS NOT NULL;

-- CreateIndex
CREATE INDEX "chat_messages_role_created_at_idx" ON "chat_messages"("role", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "chat_messages_session_id_seq_key" ON "chat_messages"("session_id", "seq");

-- CreateIndex
CREATE INDEX "chat_parts_tool_call_idx" ON "chat_parts"("tool_call_id") WHERE tool_call_id IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "chat_parts_message_id_index_key" ON "chat_parts"("message_id", "index");

-- CreateIndex
CREATE INDEX "history_ops_session_id_created_at_idx" ON "history_ops"("session_id", "created_at");

-- CreateIndex
CREATE INDEX "project_permissions_workspace_root_created_at_idx" ON "project_permissions"("workspace_root", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "memories_workspace_root_name_key" ON "memories"("workspace_root", "name");

-- CreateIndex
CREATE INDEX "schedules_next_at_idx" ON "schedules"("next_at");

-- CreateIndex
CREATE INDEX "schedules_session_id_idx" ON "schedules"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "run_leases_run_id_key" ON "run_leases"("run_id");

-- CreateIndex
CREATE UNIQUE INDEX "search_entries_message_id_key" ON "search_entries"("message_id");

-- CreateIndex
CREATE INDEX "search_entries_session_id_message_id_idx" ON "search_entries"("session_id", "message_id");

-- Full text search, which a Prisma schema cannot name. It keeps rowids and words, not a second copy of the text.
CREATE VIRTUAL TABLE "search_index" USING fts5(
    session, title, body,
    content = '', contentless_delete = 1, detail = column, prefix = '1 2 3', tokenize = 'ascii'
);
