import ipaddr from "ipaddr.js";
import { expect, test } from "vitest";
import { clientAddress } from "../../src/http/kit/client-address.ts";

const PROXIES = ["10.0.0.0/8", "fd00::/8"].map((text) => ipaddr.parseCIDR(text));
const HOPS = Array.from({ length: 1000 }, () => "203.0.113.9").join(", ");

test.each([
  ["no header", "10.0.0.1", undefined, "10.0.0.1"],
  ["one proxy", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["two proxies", "10.0.0.1", "203.0.113.9, 10.0.0.2", "203.0.113.9"],
  ["what the client wrote itself", "10.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
  ["a proxy by IPv4 within IPv6", "::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["a proxy by IPv6", "fd00::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["another host of the same /64", "fd00::1", "2001:db8:1:2::7", "2001:db8:1:2::/64"],
  ["a peer that is not trusted", "203.0.113.7", "198.51.100.1", "203.0.113.7"],
  ["1,000 hops of proxies", "10.0.0.1", HOPS.replaceAll("203.0.113.9", "10.0.0.2"), "10.0.0.2"],
  ["1,000 hops of a peer that is not trusted", "203.0.113.7", HOPS, "203.0.113.7"],
  ["junk", "10.0.0.1", "nobody", "10.0.0.1"],
  ["junk behind a proxy", "10.0.0.1", "nobody, 10.0.0.2", "10.0.0.2"],
  ["a port", "10.0.0.1", "203.0.113.9:80", "10.0.0.1"],
  ["a zone", "10.0.0.1", "fe80::1%eth0", "10.0.0.1"],
  ["an address in another notation", "10.0.0.1", "0x7f.1", "10.0.0.1"],
  ["an empty header", "10.0.0.1", "", "10.0.0.1"],
  ["an empty hop", "10.0.0.1", "203.0.113.9,", "10.0.0.1"],
  ["proxies alone", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ["no peer", undefined, "203.0.113.9", "unknown"],
])("counts the client of %s", (_case, peer, header, client) => {
  expect(clientAddress(peer, header, PROXIES)).toBe(client);
});

test("reads no header without trusted proxies", () => {
  expect(clientAddress("10.0.0.1", "203.0.113.9", [])).toBe("10.0.0.1");
});
