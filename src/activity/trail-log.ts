/** The part of a logger that the audit trail uses; pino's fits. */
export interface TrailLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
