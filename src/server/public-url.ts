import type { Config } from "./config.ts";

/** Gives the address by which browsers reach the server; `null` if it is not known. */
export function publicUrlOf({ signIn: { publicUrl }, host, port }: Config): string | null {
  const isLoopback = host === "127.0.0.1" || host === "::1" || host === "localhost";
  return publicUrl ?? (isLoopback && port !== 0 ? `http://localhost:${port}` : null);
}
