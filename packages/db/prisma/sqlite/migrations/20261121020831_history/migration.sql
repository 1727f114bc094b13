-- DropIndex
DROP INDEX "history_ops_session_id_created_at_idx";

-- CreateIndex
CREATE INDEX "chat_messages_hidden_idx" ON "chat_messages"("hidden_by") WHERE hidden_by IS NOT NULL;

-- CreateIndex
CREATE INDEX "history_ops_session_id_idx" ON "history_ops"("session_id");

-- What a rewind hid is told by places in its session from now on, and no longer by ids.
UPDATE "history_ops" SET "detail_json" = json_patch(
    json_object(
        'last_seq', (SELECT coalesce(max(m."seq"), 0) FROM json_each("detail_json", '$.hidden') h JOIN "chat_messages" m ON m."id" = h.value),
        'hidden', json((SELECT json_group_array(json_array(m."seq", m."seq")) FROM (
            SELECT m."seq" FROM json_each("detail_json", '$.hidden') h JOIN "chat_messages" m ON m."id" = h.value ORDER BY m."seq"
        ) m)),
        'shown', json_array(),
        'target_message_id', "detail_json" ->> '$.target_message_id'
    ),
    json_object('replaced_message_id', "detail_json" ->> '$.replaced')
) WHERE json_valid("detail_json");
