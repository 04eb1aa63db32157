/**
 * Holds a real engine exactly where a test wants it: the configuration reads a remote state from here, and the request
 * stays open until the test lets it go.
 */
import { createServer, type ServerResponse } from "node:http";

export interface LoopbackGate extends AsyncDisposable {
  /** A data source that waits at the gate; `more` goes into its block. */
  block(name: string, more?: string): string;
  /** Fulfilled when the engine waits at the gate of that name. */
  arrived(name: string): Promise<void>;
  /** Lets everybody through, now and later. */
  open(name: string): void;
}

const EMPTY_STATE = JSON.stringify({ version: 4, terraform_version: "1.5.0", serial: 1, lineage: "gate", outputs: {} });

export async function startLoopbackGate(): Promise<LoopbackGate> {
  const gates = new Map<string, Gate>();
  const gateOf = (name: string): Gate => {
    const gate = gates.get(name) ?? new Gate();
    gates.set(name, gate);
    return gate;
  };
  const server = createServer((request, response) => gateOf(request.url?.slice(1) ?? "").receive(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    block: (name, more = "") => `data "terraform_remote_state" ${JSON.stringify(name)} {
      backend = "http"
      config  = { address = "http://127.0.0.1:${port}/${name}" }
      ${more}
    }\n`,
    arrived: (name) => gateOf(name).arrived,
    open: (name) => gateOf(name).open(),
    async [Symbol.asyncDispose]() {
      for (const gate of gates.values()) gate.open();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class Gate {
  readonly arrived: Promise<void>;
  #arrive: () => void = () => undefined;
  #waiting: ServerResponse[] = [];
  #isOpen = false;

  constructor() {
    this.arrived = new Promise((resolve) => {
      this.#arrive = resolve;
    });
  }

  receive(response: ServerResponse): void {
    this.#arrive();
    this.#waiting.push(response);
    if (this.#isOpen) this.open();
  }

  open(): void {
    this.#isOpen = true;
    for (const response of this.#waiting.splice(0)) response.end(EMPTY_STATE);
  }
}
