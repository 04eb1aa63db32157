import type { Diagnostic } from "../../src/model/plan/diagnostic.ts";

export const WARNING: Diagnostic = {
  severity: "WARNING",
  summary: "Deprecated attribute",
  detail: "Use another one.",
  address: "terraform_data.a",
  file: "main.tf",
  line: 3,
  snippet: "  input = 1",
  logLine: 12,
};
