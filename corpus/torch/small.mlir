func.func @forward(%x: !torch.vtensor<[2,4,7,7],f32>, %w: !torch.vtensor<[6,2,3,3],f32>, %b: !torch.vtensor<[6],f32>) -> !torch.vtensor<[2,6,7,7],f32> {
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %false = torch.constant.bool false
  %none = torch.constant.none
  %ones = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %empty = torch.prim.ListConstruct : () -> !torch.list<int>
  %r = torch.aten.convolution %x, %w, %b, %ones, %ones, %ones, %false, %empty, %two : !torch.vtensor<[2,4,7,7],f32>, !torch.vtensor<[6,2,3,3],f32>, !torch.vtensor<[6],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> !torch.vtensor<[2,6,7,7],f32>
  return %r : !torch.vtensor<[2,6,7,7],f32>
}
func.func @transposed(%x: !torch.vtensor<[1,4,5],f16>, %w: !torch.vtensor<[4,3,3],f16>) -> !torch.vtensor<[1,3,11],f16> {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %none = torch.constant.none
  %zeros = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %twos = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  %r = torch.aten.conv_transpose1d %x, %w, %none, %twos, %zeros, %zeros, %one, %ones : !torch.vtensor<[1,4,5],f16>, !torch.vtensor<[4,3,3],f16>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int, !torch.list<int> -> !torch.vtensor<[1,3,11],f16>
  return %r : !torch.vtensor<[1,3,11],f16>
}
func.func @backward(%g: !torch.vtensor<[1,2,4,4],bf16>, %x: !torch.vtensor<[1,3,6,6],bf16>, %w: !torch.vtensor<[2,3,3,3],bf16>) {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %none = torch.constant.none
  %zeros = torch.prim.ListConstruct %zero, %zero : (!torch.int, !torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
  %mask = torch.prim.ListConstruct %true, %true, %false : (!torch.bool, !torch.bool, !torch.bool) -> !torch.list<bool>
  %r:3 = torch.aten.convolution_backward %g, %x, %w, %none, %ones, %zeros, %ones, %false, %zeros, %one, %mask : !torch.vtensor<[1,2,4,4],bf16>, !torch.vtensor<[1,3,6,6],bf16>, !torch.vtensor<[2,3,3,3],bf16>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int, !torch.list<bool> -> !torch.vtensor<[1,3,6,6],bf16>, !torch.vtensor<[2,3,3,3],bf16>, !torch.none
  return
}
