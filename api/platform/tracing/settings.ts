export interface TracingSettings {
  /** Base address of an OpenTelemetry collector. */
  readonly endpoint: string;
  /** Sent with every request to it. They may hold a credential. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of traces that are recorded, from 0 to 1. */
  readonly ratio: number;
  /** Milliseconds that spans are collected before they are sent. */
  readonly delayMs: number;
}
