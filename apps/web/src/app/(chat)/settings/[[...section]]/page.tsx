/** Settings, a section at each address; see the layout. */
export default function SettingsPage() {
  return null
}
