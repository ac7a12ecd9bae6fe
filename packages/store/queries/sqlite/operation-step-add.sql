insert into andon_operation_steps (list, number, items) values (@list, @number, @items);
