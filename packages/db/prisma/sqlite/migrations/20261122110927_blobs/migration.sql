-- CreateTable
CREATE TABLE "blobs" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "size" BIGINT NOT NULL,
    "media_type" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "pending_since" BIGINT
);

-- CreateTable
CREATE TABLE "blob_refs" (
    "part_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    PRIMARY KEY ("part_id", "hash"),
    CONSTRAINT "blob_refs_part_id_fkey" FOREIGN KEY ("part_id") REFERENCES "chat_parts" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "blobs_pending_idx" ON "blobs"("pending_since") WHERE pending_since IS NOT NULL;

-- CreateIndex
CREATE INDEX "blob_refs_hash_idx" ON "blob_refs"("hash");
