// Lets Node 20 run TypeScript: `node --import @andon/cli/register …`.
import "jiti/register";
