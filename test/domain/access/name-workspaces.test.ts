import { describe, expect, it } from "vitest";
import { nameWorkspaces } from "../../../src/domain/access/name-workspaces.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { defaultProjectId } from "../../../src/model/people/project-tree.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import { onWorkspace } from "../../support/rights.ts";
import { admin } from "./sample.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const workspaces = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `ws_${index}`,
    name: `w${index}`,
    organizationId,
    projectId: defaultProjectId(organizationId),
  }));
const readerOf = (...ids: string[]) => ({ ...admin, rights: rightsOf(ids.map((id) => onWorkspace("READER", id))) });

describe("the workspaces that an error names", () => {
  it.each([
    [1, "w0"],
    [5, "w0, w1, w2, w3, w4"],
    [6, "w0, w1, w2, w3, w4 and others"],
  ])("are the first five of %i", (count, names) => expect(nameWorkspaces(admin, workspaces(count))).toBe(names));

  it("are those that the caller may read: of others it says only that they exist", () => {
    expect(nameWorkspaces(readerOf("ws_1"), workspaces(3))).toBe("w1 and others");
    expect(nameWorkspaces(readerOf("ws_0", "ws_1", "ws_2"), workspaces(3))).toBe("w0, w1, w2");
    expect(nameWorkspaces(readerOf(), workspaces(1))).toBe("workspaces that you may not read");
  });
});
