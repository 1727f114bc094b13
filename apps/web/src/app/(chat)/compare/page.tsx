/** Two sessions side by side; see the layout. */
export default function ComparePage() {
  return null
}
