import { Component, type ReactNode, Suspense } from 'react'
import { isMissingProgram } from './missing-program.ts'
import { notify } from './toast.ts'

interface PartProps {
  /** While it is on its way. */
  fallback?: ReactNode
  children: ReactNode
}

/** A part of a page whose program is fetched when it is needed. If that fails, the rest stays, with all that is typed there. */
export class Part extends Component<PartProps, { missing: boolean }> {
  override state = { missing: false }

  static getDerivedStateFromError(error: unknown) {
    if (!isMissingProgram(error)) throw error
    return { missing: true }
  }

  override componentDidCatch() {
    notify.error('Part of this page could not be loaded. Please check your connection, then load the page again.')
  }

  override render() {
    if (this.state.missing) return null
    return <Suspense fallback={this.props.fallback ?? null}>{this.props.children}</Suspense>
  }
}
