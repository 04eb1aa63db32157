import { expect, test } from "vitest";
import type { AllowedTarget } from "../../src/model/kit/allowed-target.ts";
import { isAllowedAddress, isRefusedLiteral, targetOf } from "../../src/network/address-guard.ts";
import { probeTargets, runnerTargets } from "../../src/runner/network/runner-network.ts";

const ALL: AllowedTarget[] = [
  { type: "network", address: "0.0.0.0", prefix: 0, port: null },
  { type: "network", address: "::", prefix: 0, port: null },
  { type: "name", name: "service.test", port: null },
];

function allows(address: string, networkAllow: readonly AllowedTarget[] = []): boolean {
  return isAllowedAddress(address, targetOf(new URL("http://service.test:8080/")), runnerTargets(networkAllow));
}

test.each([
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "fd12:3456::1",
  "::ffff:10.1.2.3",
  "8.8.8.8",
  "2606:4700::1111",
])("a runner reaches %s", (address) => {
  expect(allows(address)).toBe(true);
});

test.each(["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "224.0.0.1", "240.0.0.1"])(
  "%s is reached only if the runner names it",
  (address) => {
    expect(allows(address)).toBe(false);
    expect(allows(address, ALL)).toBe(true);
  },
);

test.each([
  "169.254.169.254",
  "169.254.170.2",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "fe80::1",
  "fe80::1%eth0",
  "fd00:ec2::254",
  "fd20:ce::254",
  "100.100.100.200",
  "::ffff:100.100.100.200",
  "168.63.129.16",
  "::a9fe:a9fe",
  "::ffff:0:169.254.169.254",
  "64:ff9b::169.254.169.254",
  "64:ff9b::100.100.100.200",
  "64:ff9b:1::a9fe:a9fe",
  "2002:a9fe:a9fe::1",
])("%s is refused also if the runner names it", (address) => {
  expect(allows(address)).toBe(false);
  expect(allows(address, ALL)).toBe(false);
});

test.each([
  ["http://[::ffff:169.254.169.254]/", true],
  ["http://0xa9fea9fe/", true],
  ["http://0x7f.1/", true],
  ["http://10.0.0.1/", false],
])("%s is refused by its address alone: %s", (url, isRefused) => {
  expect(isRefusedLiteral(targetOf(new URL(url)), runnerTargets([]))).toBe(isRefused);
});

test("a port is opened alone", () => {
  const one: AllowedTarget = { type: "network", address: "127.0.0.1", prefix: 32, port: 8080 };
  expect(allows("127.0.0.1", [one])).toBe(true);
  expect(allows("127.0.0.1", [{ ...one, port: 8081 }])).toBe(false);
});

test("the rule of runners is not that of the server", () => {
  const target = targetOf(new URL("http://service.test/"));
  expect(isAllowedAddress("10.1.2.3", target, [])).toBe(false);
  const named = [network("169.254.169.254", 32), network("100.100.100.200", 32)];
  for (const address of ["169.254.169.254", "100.100.100.200"]) {
    expect(isAllowedAddress(address, target, named)).toBe(true);
    expect(isAllowedAddress(address, target, runnerTargets(named))).toBe(false);
  }
});

const network = (address: string, prefix: number): AllowedTarget => ({ type: "network", address, prefix, port: null });

test("a network that is wider than this machine does not open it", () => {
  const wide = [network("0.0.0.0", 0), network("::", 0), network("126.0.0.0", 7)];
  for (const address of ["127.0.0.1", "::1", "0.0.0.0", "::ffff:127.0.0.1"]) expect(allows(address, wide)).toBe(false);
  expect(allows("127.0.0.1", [network("127.0.0.0", 8)])).toBe(true);
  expect(allows("::1", [network("::1", 128)])).toBe(true);
});

test("a network that is wider than one address does not open what a gateway reaches on itself", () => {
  const wide = [network("::", 0), network("64:ff9b::", 96), network("2002::", 16)];
  for (const address of ["::7f00:1", "64:ff9b::127.0.0.1", "64:ff9b:1::7f00:1", "2002:7f00:1::", "64:ff9b::"]) {
    expect(allows(address, wide)).toBe(false);
    expect(allows(address, [network(address, 128)])).toBe(true);
  }
  expect(allows("64:ff9b::10.0.0.1", wide)).toBe(true);
  expect(allows("2002:808:808::1", wide)).toBe(true);
});

test("probes reach what their own list names, and nothing else", () => {
  const target = targetOf(new URL("http://db.test:8080/"));
  const listed = probeTargets([network("10.20.0.0", 16), network("127.0.0.1", 32)], [network("192.168.0.0", 16)]);
  const reaches = (address: string) => isAllowedAddress(address, target, listed);
  expect(["10.20.1.1", "127.0.0.1"].map(reaches)).toEqual([true, true]);
  const others = ["10.21.0.1", "8.8.8.8", "192.168.1.1", "::1", "169.254.169.254"];
  expect(others.map(reaches)).toEqual(others.map(() => false));
  const every = probeTargets([network("0.0.0.0", 0), network("::", 0)], []);
  for (const address of ["169.254.169.254", "100.100.100.200", "fd00:ec2::254", "127.0.0.1"]) {
    expect(isAllowedAddress(address, target, every)).toBe(false);
  }
  expect(probeTargets(null, [network("127.0.0.1", 32)])).toEqual(runnerTargets([network("127.0.0.1", 32)]));
});
