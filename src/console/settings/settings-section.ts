/** A section of the settings of a workspace. */
export interface SettingsSection {
  readonly workspaceId: string;
  /** The name of the workspace. */
  readonly name: string;
  readonly canWrite: boolean;
  /** Reads the settings again. */
  readonly onChange: () => void;
}
