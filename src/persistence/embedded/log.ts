/** The logger of the embedded Postgres; pino's fits. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}
