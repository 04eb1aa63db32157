/** The migrated database that every test file's own is cloned from. */
export const TEMPLATE_DATABASE = "template_holdpoint";
