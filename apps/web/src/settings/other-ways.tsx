import { CopyButton, useMessages } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'
import { settingsWords } from '../words/en-settings.ts'

const { models: words } = settingsWords

const CONFIG_EXAMPLE = `{
  "providers": {
    "lab": {
      "kind": "openai-compatible",
      "baseURL": "http://127.0.0.1:8080/v1",
      "anyModel": true
    }
  }
}`

/** The ways to add a model before the server starts. */
export function OtherWays() {
  const { client } = useApp()
  const { data } = useQuery({ queryKey: ['system'], queryFn: () => client().system.info.query() })
  return (
    <details className="rounded-lg border border-line px-4">
      <summary className="cursor-pointer py-2 font-medium coarse:py-3">{words.otherWays}</summary>
      {data && (
        <div className="space-y-5 pt-2 pb-4">
          <Way title={words.environment} hint={words.environmentHint}>
            {data.setup.variables.map((name) => `${name}=…`).join('\n')}
          </Way>
          <Way title={words.file} hint={words.fileHint(data.setup.configFile)}>
            {CONFIG_EXAMPLE}
          </Way>
          <section>
            <h3 className="font-medium">{words.local}</h3>
            <p className="mt-0.5 text-sm text-muted">{words.localHint}</p>
          </section>
        </div>
      )}
    </details>
  )
}

function Way({ title, hint, children }: { title: string; hint: string; children: string }) {
  const { app } = useMessages()
  return (
    <section className="relative">
      <h3 className="pr-control font-medium">{title}</h3>
      <p className="mt-0.5 pr-control text-sm text-muted">{hint}</p>
      <div className="absolute top-0 right-0">
        <CopyButton label={app.copy} copiedLabel={app.copied} text={() => children} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must scroll by keyboard too */}
      <pre tabIndex={0} className="mt-2 overflow-x-auto rounded-md bg-inset p-3 font-code text-sm">
        {children}
      </pre>
    </section>
  )
}
