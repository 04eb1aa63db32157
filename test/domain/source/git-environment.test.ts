import { expect, it } from "vitest";
import { addressFor } from "../../../src/domain/source/git-address.ts";
import { gitCredentials, isGitVariable, secretsOf } from "../../../src/domain/source/git-credentials.ts";
import {
  credentialEnvironment,
  gitConfig,
  gitEnvironment,
  gitOptions,
} from "../../../src/domain/source/git-environment.ts";
import { parseGitUrl } from "../../../src/model/workspace/git-source.ts";

const variable = (key: string, value: string, category = "ENVIRONMENT") => ({ key, value, category });
const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\r\nc2VjcmV0LWxpbmUtb2YtYS1rZXk=\r\n-----END OPENSSH PRIVATE KEY-----";

it("reads an address over ssh with the workspace's key and hosts, and nobody's configuration", () => {
  const url = parseGitUrl("git@github.com:acme/infra.git");
  const variables = [variable("HOLDPOINT_GIT_SSH_KEY", KEY), variable("HOLDPOINT_GIT_KNOWN_HOSTS", "github.com x y")];
  const credentials = gitCredentials(url, variables);
  expect(credentials).toEqual({
    type: "key",
    key: `${KEY.replaceAll("\r", "")}\n`,
    knownHosts: "github.com x y\n",
  });
  expect(secretsOf(credentials)).toEqual(["c2VjcmV0LWxpbmUtb2YtYS1rZXk="]);
  const { GIT_SSH_COMMAND, GIT_SSH_VARIANT } = credentialEnvironment(credentials, "/tmp/it's", null);
  expect(GIT_SSH_VARIANT).toBe("ssh");
  expect(GIT_SSH_COMMAND).toMatch(/^ssh -F \/dev\/null -i '\/tmp\/it'\\''s\/key' /);
  for (const option of ["StrictHostKeyChecking=yes", "BatchMode=yes", "IdentityAgent=none", "ProxyCommand=none"]) {
    expect(GIT_SSH_COMMAND).toContain(`-o '${option}'`);
  }
  expect(GIT_SSH_COMMAND).toContain("-o 'UserKnownHostsFile=/tmp/it'\\''s/known-hosts'");
  expect(GIT_SSH_COMMAND).not.toContain("c2Vj");
  const without = credentialEnvironment(gitCredentials(url, variables.slice(0, 1)), "/tmp/x", null);
  expect(without["GIT_SSH_COMMAND"]).toContain("-o 'UserKnownHostsFile=/dev/null'");
});

it("gives one transport, and no argument that holds a credential", () => {
  const url = parseGitUrl("https://git.example.com:8443/a.git");
  const credentials = gitCredentials(url, [variable("HOLDPOINT_GIT_PASSWORD", "s3cret")]);
  expect(credentials).toEqual({ type: "password", username: "git", password: "s3cret" });
  const args = gitOptions(url, credentials, null);
  expect(args.join("\n")).not.toContain("s3cret");
  const settings = args.flatMap((arg, index) => (args[index - 1] === "-c" ? [arg] : []));
  expect(settings).toEqual(
    expect.arrayContaining([
      "protocol.allow=never",
      "protocol.ext.allow=never",
      "protocol.https.allow=always",
      "core.hooksPath=/dev/null",
      "http.followRedirects=false",
      expect.stringMatching(/^credential\.https:\/\/git\.example\.com:8443\.helper=!f\(\)/),
    ]),
  );
  expect(settings.filter((setting) => setting.endsWith(".allow=always"))).toEqual(["protocol.https.allow=always"]);
  expect(credentialEnvironment(credentials, "/tmp/x", null)).toEqual({
    HOLDPOINT_GIT_USERNAME: "git",
    HOLDPOINT_GIT_PASSWORD: "s3cret",
  });
});

it("knows of the server's environment the path, the proxies and the certificates", () => {
  const inherited = { PATH: "/bin", SSL_CERT_FILE: "/ca.pem", https_proxy: "http://p", HOME: "/root", TF_LOG: "x" };
  expect(gitEnvironment(inherited, "/tmp/x", "https")).toEqual({
    PATH: "/bin",
    GIT_SSL_CAINFO: "/ca.pem",
    https_proxy: "http://p",
    HOME: "/tmp/x/home",
    TMPDIR: "/tmp/x",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/tmp/x/config",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    GIT_ALLOW_PROTOCOL: "https",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
  });
});

it("trusts the one repository that was asked for, whoever owns it", () => {
  expect(gitConfig(null)).toBe("");
  expect(gitConfig('/srv/a"b')).toBe('[safe]\n\tdirectory = "/srv/a\\"b"\n\tdirectory = "/srv/a\\"b/.git"\n');
});

it("takes its variables for itself in one category only", () => {
  expect(isGitVariable(variable("HOLDPOINT_GIT_PASSWORD", ""))).toBe(true);
  expect(isGitVariable(variable("HOLDPOINT_GIT_PASSWORD", "", "ENGINE"))).toBe(false);
  expect(isGitVariable(variable("GIT_PASSWORD", ""))).toBe(false);
});

it("keeps git and ssh to the addresses that were checked", () => {
  const addresses = ["192.0.2.1", "2001:db8::1"];
  const https = parseGitUrl("https://Git.Example.com.:8443/a.git");
  const args = gitOptions(https, { type: "none" }, { host: "git.example.com", port: 8443, addresses });
  expect(args).toContain("http.curloptResolve=git.example.com:8443:192.0.2.1,[2001:db8::1]");
  expect(addressFor(https)).toBe("https://git.example.com:8443/a.git");
  const key = { type: "key", key: "k", knownHosts: null } as const;
  const ssh = (port: number) =>
    credentialEnvironment(key, "/tmp/x", { host: "git.example.com", port, addresses })["GIT_SSH_COMMAND"];
  expect(ssh(22)).toContain("-o 'HostName=192.0.2.1' -o 'HostKeyAlias=git.example.com'");
  expect(ssh(2222)).toContain("-o 'HostName=192.0.2.1' -o 'HostKeyAlias=[git.example.com]:2222'");
});
