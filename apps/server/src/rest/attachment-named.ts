/** The header of a file to save: a name of at most 255 characters without a folder, in plain ASCII and as it is. */
export function attachmentNamed(given: string | null): string {
  const name =
    (given ?? '')
      .replaceAll(/[/\\\p{Cc}\p{Cf}]/gu, '')
      .toWellFormed()
      .slice(0, 255)
      // Half a character that was cut.
      .replace(/[\uD800-\uDBFF]$/, '') || 'file'
  const plain = name.replaceAll(/[^\x20-\x7e]|["%]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
