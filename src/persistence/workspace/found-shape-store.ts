/** The shape of the deployment of a workspace, as hooks find it. */
import type { KnownShape } from "../../model/workspace/deploy-shape.ts";
import type { Transaction } from "../database/database.ts";

/** Notes the shape that a hook found. The row must be locked. */
export async function setFoundShape(
  tx: Transaction,
  id: string,
  { shape, hasStartCommand }: KnownShape,
): Promise<void> {
  await tx.sql
    .updateTable("workspace")
    .set({ found_shape: shape, found_start_command: hasStartCommand })
    .where("id", "=", id)
    .execute();
}
