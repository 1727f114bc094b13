import { Component, type ReactNode } from 'react'

export type RenderGuardProps = {
  children: ReactNode
  /** Shown where the children could not be rendered. */
  fallback: () => ReactNode
  /** Another value tries the children again. */
  resetKey: unknown
}

/** Keeps what fails to draw from taking more than itself off the page. */
export class RenderGuard extends Component<RenderGuardProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidUpdate({ resetKey }: RenderGuardProps) {
    if (this.state.failed && resetKey !== this.props.resetKey) this.setState({ failed: false })
  }

  override render() {
    return this.state.failed ? this.props.fallback() : this.props.children
  }
}
