const { delegate, drawn } = window.controlllm;
delegate(drawn(element, props, watch), (data) => trigger('act', data));
