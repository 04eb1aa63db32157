/** The ssh server of OpenSSH on the loopback network, with keys of its own and for the user of the tests alone. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { waitUntil } from "../support/eventually.ts";
import { freePort } from "../support/server-process.ts";

export interface SshServer extends AsyncDisposable {
  /** The address before the path of a repository. */
  url: string;
  port: number;
  /** The line by which clients know the server. */
  knownHosts: string;
  /** A private key that may log in. */
  key: string;
  /** Everything that the server has logged. */
  log(): string;
}

/** Makes a pair of keys; returns the private one and the public one. */
export function makeKey(folder: string, name: string): { key: string; publicKey: string; file: string } {
  const file = join(folder, name);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file]);
  return { key: readFileSync(file, "utf8"), publicKey: readFileSync(`${file}.pub`, "utf8").trim(), file };
}

/** Starts the server; its files are in a new folder below this one. */
export async function startSshServer(parent: string): Promise<SshServer> {
  const folder = join(parent, "sshd");
  mkdirSync(folder, { mode: 0o700 });
  const host = makeKey(folder, "host-key");
  const client = makeKey(folder, "client-key");
  writeFileSync(join(folder, "authorized"), `${client.publicKey}\n`, { mode: 0o600 });
  const port = await freePort();
  const { username } = userInfo();
  const settings = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${host.file}`,
    `PidFile ${join(folder, "pid")}`,
    `AuthorizedKeysFile ${join(folder, "authorized")}`,
    `AllowUsers ${username}`,
    "PermitRootLogin prohibit-password",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "UsePAM no",
    // The temporary folder of the tests may be writable for others.
    "StrictModes no",
    "LogLevel VERBOSE",
  ];
  writeFileSync(join(folder, "config"), `${settings.join("\n")}\n`);
  // Debian makes this folder when the machine starts, and the server needs it to be run as root.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  // It insists on its absolute path, because it starts itself again for each connection.
  const program = execFileSync("sh", ["-c", "PATH=$PATH:/usr/local/sbin:/usr/sbin command -v sshd"], {
    encoding: "utf8",
  });
  const child = spawn(program.trim(), ["-D", "-e", "-f", join(folder, "config")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  const exited = once(child, "exit");
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`sshd has ended:\n${text}`);
    return isOpen(port);
  });
  return {
    url: `ssh://${username}@127.0.0.1:${port}`,
    port,
    knownHosts: `[127.0.0.1]:${port} ${host.publicKey}`,
    key: client.key,
    log: () => text,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
