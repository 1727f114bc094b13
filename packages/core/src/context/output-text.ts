/** The text that a tool's output is for the model. */
export function outputText(output: unknown): string {
  if (typeof output === 'object' && output !== null && 'text' in output && typeof output.text === 'string')
    return output.text
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}
