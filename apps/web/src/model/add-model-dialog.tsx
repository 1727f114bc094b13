import { Button, CopyButton, Dialog, useMessages } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'
import { words } from '../words/en.ts'

const CONFIG_EXAMPLE = `{
  "providers": {
    "lab": {
      "kind": "openai-compatible",
      "baseURL": "http://127.0.0.1:8080/v1",
      "anyModel": true
    }
  }
}`

const KEY_VARIABLES = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']

export type AddModelDialogProps = { open: boolean; onClose: () => void }

/** How to give the server a real model: by key, by address, or by one that runs on this machine. */
export function AddModelDialog({ open, onClose }: AddModelDialogProps) {
  const { client } = useApp()
  const { data } = useQuery({
    queryKey: ['system'],
    enabled: open,
    queryFn: () => client().system.info.query(),
  })
  const variables = data?.setup.variables ?? KEY_VARIABLES
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={words.addModel.title}
      description={words.addModel.lead}
      className="max-w-[36rem]"
    >
      <div className="space-y-5 overflow-y-auto p-5">
        <Way title={words.addModel.keys} hint={words.addModel.keysHint}>
          {variables.map((name) => `${name}=…`).join('\n')}
        </Way>
        <Way title={words.addModel.server} hint={words.addModel.serverHint}>
          {CONFIG_EXAMPLE}
        </Way>
        <section>
          <h3 className="font-medium">{words.addModel.local}</h3>
          <p className="mt-0.5 text-sm text-muted">{words.addModel.localHint}</p>
        </section>
        <div className="flex justify-end">
          <Button onClick={onClose}>{words.addModel.close}</Button>
        </div>
      </div>
    </Dialog>
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
