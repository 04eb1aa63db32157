/** Real repositories, and servers of them. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A key for tests alone, and its certificate for localhost and 127.0.0.1, which is valid until 2126. */
const KEY_FILE = fileURLToPath(new URL("../fixtures/tls/key.pem", import.meta.url));
const CERTIFICATE_FILE = fileURLToPath(new URL("../fixtures/tls/certificate.pem", import.meta.url));

const ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

export class TestRepository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    this.git("init", "--quiet", "--initial-branch=main");
    // A depth is asked for by name, and filters are offered, as hosts do.
    this.git("config", "uploadpack.allowFilter", "true");
  }

  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.folder, env: ENVIRONMENT, encoding: "utf8" }).trim();
  }

  /** Runs git with this input. */
  gitWith(input: string, ...args: string[]): string {
    return execFileSync("git", args, { cwd: this.folder, env: ENVIRONMENT, encoding: "utf8", input }).trim();
  }

  /** Commits these files besides what is there; gives the commit. */
  commit(files: Record<string, string | Buffer | { link: string }>): string {
    for (const [name, body] of Object.entries(files)) {
      const path = join(this.folder, name);
      mkdirSync(dirname(path), { recursive: true });
      if (typeof body === "object" && "link" in body) symlinkSync(body.link, path);
      else writeFileSync(path, body);
    }
    this.git("add", "--all", "--force");
    this.git("commit", "--quiet", "--allow-empty", "--message=x");
    return this.git("rev-parse", "HEAD");
  }
}

export interface GitServer extends AsyncDisposable {
  /** Of the folder that it serves. */
  url: string;
  port: number;
  /** What its certificate is checked by. */
  certificateFile: string;
  /** Every `Authorization` header so far. */
  authorizations: string[];
  /** Lets another user in. */
  accept: (user: string, password: string) => void;
  /** Every request that was let in so far: its method and path. */
  requests: string[];
  /** Takes the first requests of fetches and never answers them; or answers those that wait, too. */
  hangFetches: (hangs: boolean) => void;
  /** Fetches that wait. */
  hanging: () => number;
  /** Speaks the protocol of old servers from now on, or again that of today. */
  setOld: (isOld: boolean) => void;
  /** Sends only half of the next pack, and never the rest. Resolves once it has. */
  stallNext: () => Promise<void>;
}

/** Git's own server over https with Basic authentication. Every answer of it repeats the credentials it got. */
export async function startGitServer(
  root: string,
  user: string,
  password: string,
  host = "127.0.0.1",
  /** Answers what is no request of git; `false` for what is one. */
  answersElse: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<GitServer> {
  const authorizations: string[] = [];
  const requests: string[] = [];
  let stall: (() => void) | null = null;
  let isOldServer = false;
  let hangs = false;
  const waiting = new Set<() => void>();
  const accepted = new Set<string | undefined>();
  const accept = (name: string, word: string): void => {
    accepted.add(`Basic ${Buffer.from(`${name}:${word}`).toString("base64")}`);
  };
  accept(user, password);
  const server = createServer(
    { key: readFileSync(KEY_FILE), cert: readFileSync(CERTIFICATE_FILE) },
    (request, response) => {
      if (answersElse(request, response)) return;
      const { authorization } = request.headers;
      if (authorization !== undefined) authorizations.push(authorization);
      if (!accepted.has(authorization)) {
        response.writeHead(401, { "www-authenticate": 'Basic realm="git"', "content-type": "text/plain" });
        response.end(`You sent ${authorization ?? "nothing"}\n`);
        return;
      }
      requests.push(`${request.method} ${request.url}`);
      // A pack is asked for with `command=fetch`; refs are not.
      const onPack = (): (() => void) | null => {
        const begun = stall;
        stall = null;
        return begun;
      };
      if (isOldServer) delete request.headers["git-protocol"];
      const answer = (): void => serve(root, request, response, onPack);
      // Git begins with the refs; those that ask for these alone do so by one request.
      if (hangs && request.method === "GET") {
        waiting.add(answer);
        response.once("close", () => waiting.delete(answer));
      } else answer();
    },
  );
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  return {
    url: `https://${host}:${portOf(server)}`,
    port: portOf(server),
    certificateFile: CERTIFICATE_FILE,
    authorizations,
    accept,
    requests,
    hangFetches: (isHanging) => {
      hangs = isHanging;
      if (!hangs) for (const answer of waiting) answer();
    },
    hanging: () => waiting.size,
    setOld: (isOld) => {
      isOldServer = isOld;
    },
    stallNext: () =>
      new Promise((resolve) => {
        stall = resolve;
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** One request as a CGI program sees it. */
function serve(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  onPack: () => (() => void) | null,
): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://git");
  const backend = join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-http-backend");
  const child: ChildProcess = spawn(backend, {
    env: {
      ...ENVIRONMENT,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_USER: "a",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const pieces: Buffer[] = [];
  if (child.stdin !== null) {
    child.stdin.on("error", () => undefined);
    request.pipe(child.stdin);
  }
  child.stdout?.on("data", (piece: Buffer) => pieces.push(piece));
  child.on("close", () => {
    const answer = Buffer.concat(pieces);
    const end = answer.indexOf("\r\n\r\n");
    const headers = answer
      .subarray(0, end)
      .toString()
      .split("\r\n")
      .map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
    const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== "Status")));
    const body = answer.subarray(end + 4);
    const stalled = body.includes("packfile") ? onPack() : null;
    if (stalled === null) response.end(body);
    else response.write(body.subarray(0, body.length / 2), () => stalled());
  });
}

/** A server over https that redirects every request to an address below another one. */
export async function startRedirect(to: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(
    { key: readFileSync(KEY_FILE), cert: readFileSync(CERTIFICATE_FILE) },
    (request, response) => {
      const { pathname, search } = new URL(request.url ?? "/", "http://git");
      response.writeHead(301, { location: `${to}${pathname.replace(/^\/[^/]+/, "")}${search}` });
      response.end();
    },
  );
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `https://127.0.0.1:${portOf(server)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface SilentServer extends AsyncDisposable {
  port: number;
  connected: Promise<void>;
  /** How many connections there were so far. */
  connections: () => number;
}

/** A server that takes connections and never says a word. */
export async function startSilentServer(): Promise<SilentServer> {
  let count = 0;
  const sockets = new Set<Socket>();
  let connect = (): void => undefined;
  const connected = new Promise<void>((resolve) => {
    connect = resolve;
  });
  const server = createTcpServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    connect();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connected,
    connections: () => count,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
