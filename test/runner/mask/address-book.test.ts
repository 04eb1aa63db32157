import { expect, test } from "vitest";
import { AddressBook } from "../../../src/runner/mask/address-book.ts";

const KNOWN = [
  "terraform_data.database",
  'terraform_data.subnet["a"]',
  "data.terraform_remote_state.network",
  'module.web["k.1"].module.inner[0].terraform_data.leaf["x\\"y"]',
];

function named(text: string, isSecret: (key: string) => boolean = () => false): string[] {
  const book = new AddressBook();
  book.add(KNOWN);
  return book.find(text, isSecret).map(([start, end]) => text.slice(start, end));
}

test("addresses are found in what an engine writes, with those of their modules", () => {
  expect(named("terraform_data.database: Creating...")).toEqual(["terraform_data.database"]);
  expect(named("  # terraform_data.database will be updated")).toEqual(["terraform_data.database"]);
  expect(named('  with module.web["k.1"].module.inner[0].terraform_data.leaf["x\\"y"],')).toEqual([
    'module.web["k.1"].module.inner[0].terraform_data.leaf["x\\"y"]',
  ]);
  expect(named('Cycle: module.web["k.1"], terraform_data.leaf, data.terraform_remote_state.network')).toEqual([
    'module.web["k.1"]',
    "terraform_data.leaf",
    "data.terraform_remote_state.network",
  ]);
  expect(named("terraform_data.database.output.url and terraform_data.subnet[*]")).toEqual([
    "terraform_data.database",
    "terraform_data.subnet",
  ]);
  expect(named('terraform_data.subnet["b"]')).toEqual(["terraform_data.subnet"]);
  expect(named('terraform_data.subnet["b"].terraform_data.database')).toEqual([
    "terraform_data.subnet",
    "terraform_data.database",
  ]);
  expect(named("self.terraform_data.database")).toEqual(["terraform_data.database"]);
});

test("so are the beginnings of blocks", () => {
  expect(named('  ~ resource "terraform_data" "database" {')).toEqual(['resource "terraform_data" "database"']);
  expect(named('on main.tf line 1, in data "terraform_remote_state" "network":')).toEqual([
    'data "terraform_remote_state" "network"',
  ]);
  expect(named('in module "web":')).toEqual(['module "web"']);
  expect(named('resource "terraform_data" "other" and module "other"')).toEqual([]);
});

test("what only looks like an address is none", () => {
  for (const text of [
    "terraform_data.databases",
    "xterraform_data.database",
    "db.database",
    "terraform_data",
    "a.b[0",
  ]) {
    expect(named(text), text).toEqual([]);
  }
  const book = new AddressBook();
  book.add(["", "one", "two words.here", "a.b c", "a..b", 'a.b["c"', "-a.b", "a.b\n"]);
  expect(book.find("one two words.here a.b c a..b", () => false)).toEqual([]);
});

test("a secret key is left out, and only that", () => {
  const secret = (key: string) => key.includes("k.1");
  expect(named('x module.web["k.1"].module.inner[0].terraform_data.leaf["x\\"y"] y', secret)).toEqual([
    "module.web[",
    '].module.inner[0].terraform_data.leaf["x\\"y"]',
  ]);
  expect(named('terraform_data.subnet["a"]', () => true)).toEqual(["terraform_data.subnet[", "]"]);
});

test("what is in a module is found as its own files name it", () => {
  const book = new AddressBook();
  book.add(["module.a.module.b.data.http.page"]);
  const text = "data.http.page http.page";
  expect(book.find(text, () => false)).toEqual([[0, 14]]);
});
