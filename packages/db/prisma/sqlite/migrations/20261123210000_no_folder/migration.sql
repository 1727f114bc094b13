-- Sessions without a folder of their own worked in the first one of the server; from here on they have none. The point
-- stands for that folder until a start names it.
UPDATE "chat_sessions" SET "workspace_root" = '.' WHERE "workspace_root" IS NULL;
