/** The form of a cron expression, as errors of inputs describe it. */
export const CRON_WORDS =
  "must have five fields: minute (0-59), hour (0-23), day of month (1-31), month (1-12), day of week (0-7).";
