/** `terraform login` (or `tofu login`) against a server of a test. */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { installedEnginePath } from "./installed-engine.ts";
import { SITE } from "./sign-in.ts";

const services = z.object({
  "login.v1": z.object({
    client: z.string(),
    grant_types: z.array(z.string()),
    authz: z.string(),
    token: z.string(),
    ports: z.tuple([z.number(), z.number()]),
  }),
});

export interface EngineLogin extends AsyncDisposable {
  /** The address that it asks the person to open. */
  readonly address: Promise<string>;
  /** Its exit code and all that it wrote. */
  readonly ended: Promise<{ code: number | null; output: string }>;
  /** The token that it stored. */
  storedToken(): Promise<string>;
}

/** The name under which the engine knows the server. */
const HOST = "holdpoint.test";

/**
 * Starts it. It discovers services over HTTPS alone, so a `host` block gives it what the server describes at
 * `/.well-known/terraform.json`. `url`: where the engine reaches the server.
 */
export async function startEngineLogin(url: string): Promise<EngineLogin> {
  const home = await mkdtemp(join(tmpdir(), "holdpoint-login-"));
  const described = services.parse(await (await fetch(`${url}/.well-known/terraform.json`)).json())["login.v1"];
  await mkdir(join(home, ".terraform.d"));
  const config = join(home, "cli.tfrc");
  await writeFile(
    config,
    `host "${HOST}" {
      services = {
        "login.v1" = {
          client = "${described.client}"
          grant_types = ${JSON.stringify(described.grant_types)}
          authz = "${new URL(described.authz, SITE).href}"
          token = "${new URL(described.token, url).href}"
          ports = ${JSON.stringify(described.ports)}
        }
      }
    }
    `,
  );
  // Without a PATH it finds no browser to open, and prints the address.
  const env = { HOME: home, TF_CLI_CONFIG_FILE: config, CHECKPOINT_DISABLE: "1", PATH: home };
  const child = spawn(await installedEnginePath(), ["login", HOST], { env, cwd: home });
  let output = "";
  const found = Promise.withResolvers<string>();
  const onData = (data: Buffer): void => {
    output += data.toString();
    const address = /(http:\/\/holdpoint\.localhost\/auth\/authorize\?\S+)\s/.exec(output)?.[1];
    if (address !== undefined) found.resolve(address);
  };
  child.stdout.on("data", onData);
  child.stderr.on("data", onData);
  child.stdin.write("yes\n");
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once("close", (code) => {
      found.reject(new Error(`It ended without an address:\n${output}`));
      resolve({ code, output });
    });
  });
  found.promise.catch(() => undefined);
  return {
    address: found.promise,
    ended,
    async storedToken() {
      const text = await readFile(join(home, ".terraform.d", "credentials.tfrc.json"), "utf8");
      const form = z.object({ credentials: z.object({ [HOST]: z.object({ token: z.string() }) }) });
      return form.parse(JSON.parse(text)).credentials[HOST]?.token ?? "";
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}
