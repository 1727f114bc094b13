-- CreateTable
CREATE TABLE "session_budgets" (
    "session_id" TEXT NOT NULL PRIMARY KEY,
    "tokens" BIGINT NOT NULL,
    "cost_usd" REAL NOT NULL,
    "tool_calls" BIGINT NOT NULL,
    "duration_ms" REAL NOT NULL,
    "limits_json" TEXT NOT NULL DEFAULT '{}',
    CONSTRAINT "session_budgets_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "chat_sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
