/** What the embedded Postgres needs of a logger; pino's fits. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}
