/** One-line description of each command group, such as `config`. */
export const groups: Readonly<Record<string, string>> = {
  venue: 'Deposits to and withdrawals from the venue',
  fees: 'What a transfer costs, and what app fees have earned',
  runs: 'Transfers started on this machine and their journals',
  batch: 'Batches that workers on many machines carry out',
  requests: 'Requests in the service’s records',
  contracts: 'Contracts trusted to hold funds',
  delegation: 'EIP-7702 delegations of an account',
  allowance: 'ERC-20 allowances granted by an account',
  address: 'Your names for addresses',
  key: 'Encrypted key files',
  config: 'Settings and their sources',
  store: 'A database that keeps the runs of many machines',
  sandbox: 'The complete service, run on this machine',
};
