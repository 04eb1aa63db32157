import { expect, test } from "vitest";
import { textErrors } from "../../../src/runner/session/text-errors.ts";

test("errors of a text are read with their address and their detail, without their place", () => {
  const text = `Initializing provider plugins...

Warning: Deprecated

Error: no error, it belongs to the warning
Error: Failed to query available provider packages

Could not retrieve the list: dial tcp:
lookup registry.terraform.io: no such host

Error: Invalid value

  with terraform_data.a["x y"],
  on main.tf line 7, in resource "terraform_data" "a":
   7:   input = x

It is wrong.
`;
  expect(textErrors(text)).toEqual([
    { severity: "error", summary: "no error, it belongs to the warning", detail: "" },
    {
      severity: "error",
      summary: "Failed to query available provider packages",
      detail: "Could not retrieve the list: dial tcp:\nlookup registry.terraform.io: no such host",
    },
    { severity: "error", summary: "Invalid value", address: 'terraform_data.a["x y"]', detail: "It is wrong." },
  ]);
});

test("a frame is no text, and the preamble no error", () => {
  const text =
    "│ Error: OpenTofu encountered problems during initialisation, including\n│ \n│ problems\n╵\n╷\n│ Error: Other\n│ \n│ Detail\n╵\n";
  expect(textErrors(text)).toEqual([{ severity: "error", summary: "Other", detail: "Detail" }]);
  expect(textErrors("nothing")).toEqual([]);
});
