import { Component, type ComponentChildren } from "preact";

interface Props {
  children: ComponentChildren;
  where?: string; // changes with the page: a new page gets a new try
}

export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static override getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
  override componentDidCatch(error: unknown) {
    console.error(error);
  }
  override componentDidUpdate(before: Props) {
    if (before.where !== this.props.where && this.state.error) this.setState({ error: null });
  }
  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div class="panel" role="alert">
        <h2>This part of the page failed</h2>
        <p>{error.message}</p>
        <p class="muted">Jobs and files are safe: they are with the server. Try again, or reload the page.</p>
        <button type="button" class="button" onClick={() => this.setState({ error: null })}>
          Try again
        </button>
      </div>
    );
  }
}
