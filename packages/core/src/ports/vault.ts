/** Encrypts secrets before they are stored. */
export interface Vault {
  /** Encrypts a text for one purpose. `STORE_ERROR` when there is no usable key and none can be made. */
  seal(text: string, purpose: string): Promise<string>
  /** The text that was sealed for this purpose; null when it was changed, or sealed with another key or for another purpose. */
  open(sealed: string, purpose: string): Promise<string | null>
}
