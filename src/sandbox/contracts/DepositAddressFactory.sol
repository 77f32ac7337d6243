// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';
import {SafeERC20} from '@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol';
import {Depository} from './Depository.sol';

/// @notice What a strict deposit address runs: it deposits all that the address holds, for one order. The depository and
/// the factory are part of the code, so a proxy has them too.
contract DepositAddress {
  using SafeERC20 for IERC20;

  address public immutable DEPOSITORY;
  address public immutable FACTORY;

  error OnlyFactory();

  constructor(address depository) {
    DEPOSITORY = depository;
    FACTORY = msg.sender;
  }

  receive() external payable {}

  /// @notice Deposits the whole balance of a token; the zero address is the native currency.
  function sweep(address token, address depositor, bytes32 orderId) external {
    if (msg.sender != FACTORY) revert OnlyFactory();
    uint256 balance = token == address(0) ? address(this).balance : IERC20(token).balanceOf(address(this));
    if (balance == 0) return;
    if (token == address(0)) {
      Depository(DEPOSITORY).depositNative{value: balance}(depositor, orderId);
    } else {
      IERC20(token).forceApprove(DEPOSITORY, balance);
      Depository(DEPOSITORY).depositErc20(depositor, token, balance, orderId);
    }
  }
}

/// @notice Creates strict deposit addresses. One belongs to an order and its depositor, and anybody may empty it into the
/// depository. Interface and addresses are the published ones of the service.
contract DepositAddressFactory {
  address public immutable DEPOSITORY;
  address public immutable IMPLEMENTATION;

  event ProxyDeployed(bytes32 indexed orderId, address proxyAddress);

  error CreationFailed();

  constructor(address depository) {
    DEPOSITORY = depository;
    IMPLEMENTATION = address(new DepositAddress(depository));
  }

  function computeDepositAddress(bytes32 orderId, address depositor) public view returns (address) {
    bytes32 hash = keccak256(
      abi.encodePacked(bytes1(0xff), address(this), _salt(orderId, depositor), keccak256(_creationCode()))
    );
    return address(uint160(uint256(hash)));
  }

  function sweep(bytes32 orderId, address depositor, address[] calldata tokens) external {
    address proxy = computeDepositAddress(orderId, depositor);
    if (proxy.code.length == 0) {
      _create(_salt(orderId, depositor));
      emit ProxyDeployed(orderId, proxy);
    }
    for (uint256 i; i < tokens.length; i++) DepositAddress(payable(proxy)).sweep(tokens[i], depositor, orderId);
  }

  function _create(bytes32 salt) private {
    bytes memory code = _creationCode();
    address created;
    assembly ('memory-safe') {
      created := create2(0, add(code, 32), mload(code), salt)
    }
    if (created == address(0)) revert CreationFailed();
  }

  function _salt(bytes32 orderId, address depositor) private pure returns (bytes32) {
    return keccak256(abi.encodePacked(orderId, depositor));
  }

  /// @dev A minimal proxy as Solady's library writes it.
  function _creationCode() private view returns (bytes memory) {
    return
      abi.encodePacked(hex'602c3d8160093d39f33d3d3d3d363d3d37363d73', IMPLEMENTATION, hex'5af43d3d93803e602a57fd5bf3');
  }
}
