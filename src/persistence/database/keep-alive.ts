/**
 * Settings of every connection to Postgres. A peer may vanish silently (a firewall forgets the connection, a machine loses
 * its power); then neither an answer nor a hint arrives, and no error either. After ten seconds of silence the
 * operating system asks once a second, and ends the connection after ten questions. What is sent into the void instead
 * is given up when the system has sent it often enough, which is minutes.
 */
export const KEEP_ALIVE = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;
