/** The version of the server and of the runners that come with it. */
export const VERSION = "0.1.0";
