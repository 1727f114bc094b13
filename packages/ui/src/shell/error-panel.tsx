import { useMessages } from '../messages/messages-context.tsx'
import { type ErrorPanelProps, ErrorView } from './error-view.tsx'

/** Fills a region that could not be shown, with what to do next. */
export function ErrorPanel(props: ErrorPanelProps) {
  return <ErrorView {...props} words={useMessages().errorPanel} />
}
