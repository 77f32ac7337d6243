// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Delegator} from './Delegator.sol';

/// @notice Redeems delegations (ERC-7710): anyone who presents one can make its delegator execute a call. A context is
/// the ABI encoding of delegator and expiry. There are no signatures, so delegators must not hold anything of value.
contract DelegationManager {
  error ArrayLengthsMismatch();
  error DelegationRedeemFailed(uint256 index, bytes reason);

  function redeemDelegations(
    bytes[] calldata contexts,
    bytes32[] calldata modes,
    bytes[] calldata calldatas
  ) external payable {
    if (contexts.length != modes.length || contexts.length != calldatas.length) revert ArrayLengthsMismatch();
    for (uint256 i; i < contexts.length; i++) {
      (Delegator delegator, uint256 expiry) = abi.decode(contexts[i], (Delegator, uint256));
      try delegator.executeFromExecutor(expiry, modes[i], calldatas[i]) {} catch (bytes memory reason) {
        revert DelegationRedeemFailed(i, reason);
      }
    }
  }
}
